"""A small hidden web to crawl: thousands of sites with real databases behind their forms, and the truth about them.

Everything follows from a seed. A `World` plans its hosts, a `Site` answers for one host, the server in
`simweb.server` puts them behind one loopback proxy port, and `Truth` knows what a crawler should have found.
"""

from __future__ import annotations
