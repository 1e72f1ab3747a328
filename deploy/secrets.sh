#!/bin/sh
# Creates the secrets for compose.yaml. Existing files stay as they are. Keep bank-secret as safe as a backup.
set -eu
cd -- "$(dirname -- "$0")"
# The folder ca is for the certificate of a database on another machine.
mkdir -p secrets ca
# The containers run as different users, so the files are readable to all. The folder is closed to other users of this machine.
chmod 700 secrets
make() {
  [ -e "secrets/$1" ] || printf '%s\n' "$2" >"secrets/$1"
  chmod 444 "secrets/$1"
}
random() { head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \n'; }
make bank-secret "$(random)"
make owner-password "$(random)"
make owner-url "postgres://alder_owner:$(cat secrets/owner-password)@database/alder"
