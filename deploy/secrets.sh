#!/bin/sh
# Makes the secrets that compose.yaml reads, once; what is there stays. Keep bank-secret as safe as a backup.
set -eu
cd -- "$(dirname -- "$0")"
# ca is for the certificate of a database elsewhere.
mkdir -p secrets ca
# The containers run as users of their own, who have to read them: the folder keeps everybody else out.
chmod 700 secrets
make() {
  [ -e "secrets/$1" ] || printf '%s\n' "$2" >"secrets/$1"
  chmod 444 "secrets/$1"
}
random() { head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \n'; }
make bank-secret "$(random)"
make owner-password "$(random)"
make owner-url "postgres://alder_owner:$(cat secrets/owner-password)@database/alder"
