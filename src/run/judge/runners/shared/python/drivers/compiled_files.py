"""Which compiled files are used instead of sources."""

import importlib._bootstrap_external as loading
import os
import sys


def distrust_tree(workspace, installed):
    """What runs of a tree is what its sources say: a compiled file that came with it may say something else. Installed
    packages are loaded as always: compiling them anew in every run can take longer than the tests."""
    tree = os.path.realpath(workspace)
    trusted = [os.path.realpath(folder) for folder in installed if os.path.isabs(folder)]
    trusted = [folder for folder in trusted if folder != "/" and not is_within(folder, tree)]
    known = {}

    def is_trusted(path):
        # Through links, which may lead from an installed package into the tree.
        folder = os.path.dirname(os.path.abspath(path))
        if folder not in known:
            real = os.path.realpath(folder)
            known[folder] = not is_within(real, tree) and any(is_within(real, one) for one in trusted)
        return known[folder]

    usual = loading.cache_from_source

    def cache_from_source(path, *args, **options):
        prefix = sys.pycache_prefix
        if not is_trusted(os.fspath(path)):
            return usual(path, *args, **options)
        sys.pycache_prefix = None
        try:
            return usual(path, *args, **options)
        finally:
            sys.pycache_prefix = prefix

    sys.pycache_prefix = os.devnull
    loading.cache_from_source = cache_from_source


def is_within(path, folder):
    return path == folder or path.startswith(folder.rstrip("/") + "/")
