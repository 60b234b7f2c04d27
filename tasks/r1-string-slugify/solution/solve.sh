#!/bin/sh
# What a good answer looks like; the fake engine does this.
set -e
cat > strings.py <<'PYTHON'
"""Small helpers for text."""

import re
import unicodedata


def slugify(text):
    """A slug for a URL: lower-case letters and digits, words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
PYTHON
