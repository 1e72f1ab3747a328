-- A card payment, from the scheme's question on. What is open was authorised and neither captured nor released; as much of it
-- as the customer had is held. Times are business times, but for those of messages and guesses.
CREATE TABLE bank.card_authorisation (
  -- Also the operation that holds the money first.
  id             uuid PRIMARY KEY,
  scheme_id      text NOT NULL UNIQUE,
  -- Of what was asked: the same payment asked for again is answered alike.
  digest         bytea NOT NULL,
  -- These three are null for a number that no card has.
  card_id        uuid REFERENCES bank.card,
  customer_id    uuid REFERENCES bank.customer,
  account_id     bigint,
  amount_minor   bigint NOT NULL CHECK (amount_minor > 0),
  asset          text NOT NULL,
  status         text NOT NULL CHECK (status IN ('declined', 'held', 'captured', 'reversed', 'expired')),
  reason         text,
  -- Approved by the scheme in the bank's absence.
  advised        boolean NOT NULL,
  open_minor     bigint NOT NULL DEFAULT 0 CHECK (open_minor >= 0),
  held_minor     bigint NOT NULL DEFAULT 0 CHECK (held_minor BETWEEN 0 AND open_minor),
  hold_id        uuid,
  captured_minor bigint NOT NULL DEFAULT 0 CHECK (captured_minor >= 0),
  refunded_minor bigint NOT NULL DEFAULT 0 CHECK (refunded_minor BETWEEN 0 AND captured_minor),
  -- Of what was captured: what the customer did not have and the bank paid.
  lost_minor     bigint NOT NULL DEFAULT 0 CHECK (lost_minor BETWEEN 0 AND captured_minor),
  entry          text NOT NULL,
  merchant       text NOT NULL,
  mcc            text NOT NULL,
  city           text,
  country        text NOT NULL,
  abroad         boolean NOT NULL,
  authorised_at  timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  CHECK ((reason IS NOT NULL) = (status = 'declined')),
  CHECK ((hold_id IS NOT NULL) = (held_minor > 0)),
  CHECK (status = 'held' OR open_minor = 0),
  CHECK (card_id IS NOT NULL OR status = 'declined')
);
CREATE INDEX card_authorisation_card ON bank.card_authorisation (card_id, authorised_at);
CREATE INDEX card_authorisation_customer ON bank.card_authorisation (customer_id, authorised_at, id);
CREATE INDEX card_authorisation_open ON bank.card_authorisation (expires_at, id) WHERE status = 'held';
GRANT SELECT, INSERT, UPDATE (status, reason, advised, open_minor, held_minor, hold_id, captured_minor, refunded_minor, lost_minor)
  ON bank.card_authorisation TO alder_app;

-- Each part that a shop took. origin_id is what the line of the statement begins with: the hold, or where nothing was held
-- the operation itself.
CREATE TABLE bank.card_capture (
  operation_id     uuid PRIMARY KEY,
  origin_id        uuid NOT NULL UNIQUE,
  authorisation_id uuid NOT NULL REFERENCES bank.card_authorisation,
  amount_minor     bigint NOT NULL CHECK (amount_minor > 0),
  -- In the order in which they were taken.
  place            bigint GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX card_capture_authorisation ON bank.card_capture (authorisation_id, place);
GRANT SELECT, INSERT ON bank.card_capture TO alder_app;

-- Messages that were answered: the same one again is answered the same. The digest needs the bank's secret, for a message has
-- a card's number and CVV, which could be guessed from any other.
CREATE TABLE bank.card_message (
  id          text PRIMARY KEY,
  digest      bytea NOT NULL,
  answer      jsonb NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX card_message_received ON bank.card_message (received_at);
GRANT SELECT, INSERT, DELETE ON bank.card_message TO alder_app;

-- Wrong CVVs and expiry dates of a card, since when, and until when it cannot pay online.
CREATE TABLE bank.card_guess (
  card_id      uuid PRIMARY KEY REFERENCES bank.card,
  wrong        smallint NOT NULL,
  since        timestamptz NOT NULL,
  locked_until timestamptz
);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank.card_guess TO alder_app;
