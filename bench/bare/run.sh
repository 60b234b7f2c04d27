#!/bin/sh
# The script a user would write instead of Seatrial: copy, patch, diff, test. No confinement, no evidence, nothing kept.
#   run.sh <task directory> <test command…>
set -e
task=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -a "$task/environment/files" "$folder/before"
cp -a "$folder/before" "$folder/after"
cd "$folder/after"
sh "$task/solution/solve.sh"
git diff --no-index --binary ../before . >../patch.diff || [ $? = 1 ]
[ -s ../patch.diff ]
cp -a "$task/tests" tests
"$@" >../test.log 2>&1
