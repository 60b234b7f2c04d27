#!/bin/sh
# What a good answer looks like; the fake engine does this.
cat > greet.sh <<'SHELL'
#!/bin/sh
echo "Hello, $1!"
SHELL
