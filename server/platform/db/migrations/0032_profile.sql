-- An email that a customer wants in the place of theirs, until both addresses have said yes. Real time.
CREATE TABLE bank.email_change (
  customer_id   uuid PRIMARY KEY REFERENCES bank.customer,
  -- What the links in the two mails speak of: those of an earlier wish are worth nothing.
  id            uuid NOT NULL,
  -- Spelled as bank.customer keeps it.
  email         text NOT NULL CHECK (email = lower(email) AND email LIKE '_%@_%'),
  old_confirmed boolean NOT NULL,
  new_confirmed boolean NOT NULL DEFAULT false,
  expires_at    timestamptz NOT NULL
);
GRANT SELECT, INSERT, DELETE, UPDATE (old_confirmed, new_confirmed) ON bank.email_change TO alder_app;
