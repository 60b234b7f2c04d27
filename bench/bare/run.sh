#!/bin/sh
# The script a user would write instead of Seatrial: copy, patch, diff, test. No confinement, no evidence, nothing kept.
#   run.sh <task directory> <test command…>
set -e
task=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -a "$task/environment/files" "$dir/before"
cp -a "$dir/before" "$dir/after"
cd "$dir/after"
sh "$task/solution/solve.sh"
git diff --no-index --binary ../before . >../patch.diff || [ $? = 1 ]
[ -s ../patch.diff ]
cp -a "$task/tests" tests
"$@" >../test.log 2>&1
