-- Transfers that other banks sent to accounts of this one, by the id that the provider gave each: credited once, or held
-- until they have gone back. Times are business times.
CREATE TABLE bank.incoming_transfer (
  id             uuid PRIMARY KEY,
  -- Whose account it was for; null where it was nobody's.
  customer_id    uuid REFERENCES bank.customer,
  account_id     bigint,
  -- The number that it was sent to, as the sender's bank wrote it. Null, as is the payer, where it was recalled before it was
  -- told of.
  account_number text,
  payer_name     text,
  reference      text,
  amount_minor   bigint NOT NULL CHECK (amount_minor > 0),
  asset          text NOT NULL,
  rail           text NOT NULL CHECK (rail IN ('simulated', 'provider')),
  -- credited: it is the customer's. held: it is to go back. returned: it has gone back. kept: the provider does not take it
  -- back. recalled: the sender's bank took it back.
  status         text NOT NULL CHECK (status IN ('credited', 'held', 'returned', 'kept', 'recalled')),
  -- Why it was not credited.
  reason         text CHECK (reason IN ('account_not_found', 'account_number_invalid', 'account_closed', 'balance_limit',
                                        'unverified_limit')),
  received_at    timestamptz NOT NULL,
  CONSTRAINT incoming_transfer_to_somebody CHECK (status <> 'credited' OR account_id IS NOT NULL),
  CONSTRAINT incoming_transfer_not_credited CHECK (status NOT IN ('held', 'returned', 'kept') OR reason IS NOT NULL)
);
CREATE INDEX incoming_transfer_held ON bank.incoming_transfer (id) WHERE status IN ('held', 'kept');
CREATE INDEX incoming_transfer_customer ON bank.incoming_transfer (customer_id, received_at, id);
GRANT SELECT, INSERT, UPDATE (status) ON bank.incoming_transfer TO alder_app;

ALTER TABLE bank.owed DROP CONSTRAINT owed_cause_check;
ALTER TABLE bank.owed ADD CONSTRAINT owed_cause_check
  CHECK (cause IN ('card_payment', 'top_up_returned', 'dispute', 'cashback', 'transfer_recalled'));
