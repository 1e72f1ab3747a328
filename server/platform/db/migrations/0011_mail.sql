-- Every mail the bank writes, so that it can be read in the sample mailbox and sent when there is an SMTP server.

CREATE TABLE bank.mail (
  id          uuid PRIMARY KEY,
  -- Which was written first, where two are of the same moment.
  place       bigint GENERATED ALWAYS AS IDENTITY,
  -- The customer who caused it or whom it concerns; null where it concerns none.
  customer_id uuid REFERENCES bank.customer,
  recipient   text NOT NULL,
  subject     text NOT NULL,
  text        text NOT NULL,
  -- Business time.
  created_at  timestamptz NOT NULL,
  -- Real time; null until an SMTP server has taken it.
  sent_at     timestamptz
);
CREATE INDEX mail_customer ON bank.mail (customer_id, created_at DESC);
CREATE INDEX mail_recipient ON bank.mail (recipient, created_at DESC);
GRANT SELECT, INSERT, UPDATE (sent_at) ON bank.mail TO alder_app;
