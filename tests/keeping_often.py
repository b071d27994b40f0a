"""`python -m keeping_often` is `scrapy`, but for what is learnt of noise: that is kept at once."""

from __future__ import annotations

from scrapy.cmdline import execute

import hiddenweb.pipelines.changes

if __name__ == "__main__":
    hiddenweb.pipelines.changes.SAVE_MASKS_SECONDS = 0.05
    execute()
