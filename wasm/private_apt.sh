# SPDX-License-Identifier: Apache-2.0
# Sourced: private_apt DIR TYPE SUITE makes apt-get read one suite of Debian (TYPE deb or deb-src)
# from the mirror this machine is configured with, with a state of its own in DIR: the machine's
# lists and sources stay as they are, and root is not needed.
private_apt() {
  local dir=$1 type=$2 suite=$3 uri
  uri=$({ cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true; } |
    awk '/^URIs:/ {print $2} $1 == "deb" {print $($2 ~ /^\[/ ? 3 : 2)}' | sed -n 1p)
  [ -n "$uri" ] || { echo "no Debian mirror in /etc/apt/sources.list*" >&2; return 1; }
  mkdir -p "$dir"/{lists/partial,cache/archives/partial}
  cat >"$dir/one.sources" <<S
Types: $type
URIs: $uri
Suites: $suite
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
S
  cat >"$dir/apt.conf" <<S
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::sourcelist "$dir/one.sources";
Dir::State::lists "$dir/lists";
Dir::Cache "$dir/cache";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
APT::Sandbox::User "$(id -un)";
S
  export APT_CONFIG=$dir/apt.conf
  apt-get -qq update
}
