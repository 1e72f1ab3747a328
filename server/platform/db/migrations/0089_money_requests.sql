-- Money that customers ask each other for. Paying is the ledger's: a row says what was asked, of whom, and what came of it.
-- Dates are business time but for made_at.
CREATE TABLE bank.money_request (
  id             uuid PRIMARY KEY,
  requester_id   uuid NOT NULL REFERENCES bank.customer,
  requester_name text NOT NULL,
  -- Whom they ask, in their own word and as they typed it, and the address as the bank keeps it. All three are null of a
  -- link, which anyone may pay.
  payer_name     text,
  payer_typed    text,
  payer_address  text,
  -- The customer whom that address named when they were asked; null where it named none.
  payer_id       uuid REFERENCES bank.customer,
  -- Whether the payer had not dealt with the requester by then.
  from_stranger  boolean NOT NULL DEFAULT true,
  -- Asked while the payer had blocked the requester: the payer never sees it, and the requester cannot tell.
  hidden         boolean NOT NULL DEFAULT false,
  amount_minor   bigint NOT NULL CHECK (amount_minor > 0),
  paid_minor     bigint NOT NULL DEFAULT 0,
  asset          text NOT NULL,
  note           text,
  status         text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'declined', 'cancelled', 'expired')),
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  reminded_at    timestamptz,
  closed_at      timestamptz,
  -- Real time: how often somebody asks has nothing to do with the bank's date.
  made_at        timestamptz NOT NULL,
  CONSTRAINT money_request_of_somebody_or_anyone
    CHECK (num_nonnulls(payer_name, payer_typed, payer_address) IN (0, 3) AND (payer_address IS NOT NULL OR payer_id IS NULL)),
  CONSTRAINT money_request_paid_at_most_once CHECK (paid_minor BETWEEN 0 AND amount_minor),
  CONSTRAINT money_request_paid_in_full CHECK ((status = 'paid') = (paid_minor = amount_minor)),
  CONSTRAINT money_request_closed_once CHECK ((status = 'open') = (closed_at IS NULL))
);
CREATE INDEX money_request_sent ON bank.money_request (requester_id, created_at DESC, id DESC);
CREATE INDEX money_request_received ON bank.money_request (payer_id, created_at DESC, id DESC) WHERE payer_id IS NOT NULL;
CREATE INDEX money_request_unclaimed ON bank.money_request (payer_address) WHERE payer_id IS NULL AND payer_address IS NOT NULL;
CREATE INDEX money_request_flood ON bank.money_request (requester_id, made_at);
CREATE INDEX money_request_overdue ON bank.money_request (expires_at) WHERE status = 'open';
GRANT SELECT, INSERT ON bank.money_request TO alder_app;
GRANT UPDATE (payer_id, paid_minor, status, reminded_at, closed_at) ON bank.money_request TO alder_app;

-- What happened to a request, for both sides to read. Rows are only ever added.
CREATE TABLE bank.money_request_event (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request_id   uuid NOT NULL REFERENCES bank.money_request,
  kind         text NOT NULL CHECK (kind IN ('asked', 'reminded', 'paid', 'declined', 'cancelled', 'expired')),
  happened_at  timestamptz NOT NULL,
  -- Of a payment: by whom, how much, and the operation that moved it.
  payer_name   text,
  amount_minor bigint CHECK (amount_minor > 0),
  operation_id uuid UNIQUE,
  CONSTRAINT money_request_event_paid
    CHECK (num_nonnulls(payer_name, amount_minor, operation_id) = CASE kind WHEN 'paid' THEN 3 ELSE 0 END)
);
CREATE INDEX money_request_event_request ON bank.money_request_event (request_id, id);
GRANT SELECT, INSERT ON bank.money_request_event TO alder_app;

-- Whose requests a customer does not want to see.
CREATE TABLE bank.request_block (
  id           uuid PRIMARY KEY,
  blocker_id   uuid NOT NULL REFERENCES bank.customer,
  blocked_id   uuid NOT NULL REFERENCES bank.customer,
  blocked_name text NOT NULL,
  blocked_at   timestamptz NOT NULL,
  UNIQUE (blocker_id, blocked_id)
);
GRANT SELECT, INSERT, DELETE ON bank.request_block TO alder_app;

-- Requests that somebody reported, kept for whoever runs the bank.
CREATE TABLE bank.request_report (
  request_id  uuid NOT NULL REFERENCES bank.money_request,
  reporter_id uuid NOT NULL REFERENCES bank.customer,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (request_id, reporter_id)
);
CREATE INDEX request_report_reporter ON bank.request_report (reporter_id);
GRANT SELECT, INSERT ON bank.request_report TO alder_app;
