# SPDX-License-Identifier: Apache-2.0
# Sourced, from the top of the tree: a Node on the PATH that the web app can be built and tested with.
# The system's if it is recent; else the one that install_node has put into build/node, from npm's
# registry, by means of the system's older one.
node_major=20
node_home="$PWD/build/node/node_modules/node-linux-$(case "$(uname -m)" in
  aarch64) echo arm64 ;; *) echo x64 ;; esac)"

node_is_recent() {
  [ "$("${1:-node}" -p 'Number(process.versions.node.split(`.`)[0])' 2>/dev/null || echo 0)" -ge "$node_major" ]
}

install_node() {
  echo "setup: Node $node_major or newer, into build/node"
  npm install --prefix build/node --no-audit --no-fund --loglevel=error "$(basename "$node_home")@22"
}

if ! node_is_recent && node_is_recent "$node_home/bin/node"; then PATH="$node_home/bin:$PATH"; fi
