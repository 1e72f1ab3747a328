#!/bin/sh
# Runs the programs of a release without npm: ./alder start, ./alder migrate, ./alder books …
set -eu

root=$(dirname -- "$(readlink -f -- "$0")")
name=${1:-}
[ $# -eq 0 ] || shift

# Some packages look for settings in the working folder and in the user's home, and fail if they cannot read them. In a
# container, the user has no home.
[ -r "$PWD" ] || cd /
export HOME="${HOME:-/}"

# Uses the release's own Node, with which it was tested. If that is missing or does not run on this system, uses the system's
# Node.
node=$root/node/bin/node
"$node" --version >/dev/null 2>&1 || node=node
major=$("$node" -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
if [ "$major" -lt 26 ]; then
  echo 'Alder needs Node 26 or newer: the one that it brings does not run here (on Debian, it takes libatomic1).' >&2
  exit 1
fi

case $name in
  start)
    # Makes glibc return freed memory to the system.
    export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-131072}"
    exec "$node" "$root/server/boot/main.ts" "$@"
    ;;
  health)
    # The exit code is 0 if the bank answers at PORT, on the first address that it listens on.
    exec "$node" -e 'const { HEALTH_HOST, LISTEN_HOST, PORT } = process.env
      const hosts = (LISTEN_HOST || "localhost").split(",").map((host) => host.trim())
      const isLocal = hosts.some((host) => ["localhost", "127.0.0.1", "::1", "0.0.0.0", "::"].includes(host))
      const host = HEALTH_HOST || (isLocal ? "localhost" : hosts[0].includes(":") ? `[${hosts[0]}]` : hosts[0])
      fetch(`http://${host}:${PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))'
    ;;
  version)
    exec cat "$root/release.json"
    ;;
  '' | command | *[!a-z-]*) ;;
  *)
    [ ! -f "$root/server/cli/$name.ts" ] || exec "$node" "$root/server/cli/$name.ts" "$@"
    ;;
esac

commands=$(cd "$root/server/cli" && ls ./*.ts | sed -e 's|^\./||' -e 's|\.ts$||' -e '/^command$/d' | tr '\n' ' ')
echo "Usage: ./alder start | health | version, or one of: $commands" >&2
exit 2
