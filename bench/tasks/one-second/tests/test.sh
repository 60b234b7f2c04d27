#!/bin/sh
# The time that a test of this length takes.
sleep 1
if [ "$(subject ./greet.sh Ada)" = 'Hello, Ada!' ]; then ok greets-by-name; else not_ok greets-by-name; fi
