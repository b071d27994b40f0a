"""What pyproject.toml cannot say: the egg for Scrapyd holds the crawler, without simweb.

All else is in pyproject.toml. `scrapyd-deploy` runs this file, and would write one of its own if there were none.
"""

from __future__ import annotations

from setuptools import setup
from setuptools.command.bdist_egg import bdist_egg


class CrawlerEgg(bdist_egg):
    """Builds an egg that `scrapyd-deploy` can send."""

    def finalize_options(self) -> None:
        """Leave out what no crawl needs."""
        packages = self.distribution.packages or []
        self.distribution.packages = [name for name in packages if name.partition(".")[0] != "simweb"]
        super().finalize_options()


setup(cmdclass={"bdist_egg": CrawlerEgg})
