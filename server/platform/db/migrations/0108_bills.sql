-- Bills that a customer paid and shares with others. Money moves by requests alone (0089): a share says which one is for it.
-- Dates are business time.

-- People who share bills again and again, and settle up now and then.
CREATE TABLE bank.bill_group (
  id         uuid PRIMARY KEY,
  name       text NOT NULL,
  created_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON bank.bill_group TO alder_app;
-- To lock a group, as far as PostgreSQL is concerned, is to change it.
GRANT UPDATE (name) ON bank.bill_group TO alder_app;

CREATE TABLE bank.bill_group_member (
  id           uuid PRIMARY KEY,
  group_id     uuid NOT NULL REFERENCES bank.bill_group,
  -- Where they were invited, in the bank's one form, and what whoever invited them calls them.
  address      text NOT NULL,
  name         text NOT NULL,
  invited_by   uuid NOT NULL REFERENCES bank.customer,
  -- Who they are; null until they have joined.
  customer_id  uuid REFERENCES bank.customer,
  -- In the order in which they were invited.
  place        bigint GENERATED ALWAYS AS IDENTITY,
  left_at      timestamptz,
  UNIQUE (group_id, address),
  UNIQUE (group_id, customer_id)
);
CREATE INDEX bill_group_member_customer ON bank.bill_group_member (customer_id) WHERE left_at IS NULL;
CREATE INDEX bill_group_member_invited ON bank.bill_group_member (address) WHERE customer_id IS NULL;
GRANT SELECT, INSERT, DELETE ON bank.bill_group_member TO alder_app;
GRANT UPDATE (customer_id, name, left_at) ON bank.bill_group_member TO alder_app;

CREATE TABLE bank.bill (
  id           uuid PRIMARY KEY,
  -- Who paid it and splits it.
  owner_id     uuid NOT NULL REFERENCES bank.customer,
  group_id     uuid REFERENCES bank.bill_group,
  total_minor  bigint NOT NULL CHECK (total_minor > 0),
  own_minor    bigint NOT NULL CHECK (own_minor >= 0),
  asset        text NOT NULL,
  description  text,
  -- The payment that is split, where it is one of the owner's.
  operation_id uuid,
  created_at   timestamptz NOT NULL,
  -- Of a group's bill: taken back by its owner, so that it counts no more.
  removed_at   timestamptz
);
CREATE INDEX bill_owner ON bank.bill (owner_id, created_at DESC, id DESC) WHERE group_id IS NULL;
CREATE INDEX bill_group_bills ON bank.bill (group_id, created_at DESC, id DESC) WHERE group_id IS NOT NULL;
GRANT SELECT, INSERT ON bank.bill TO alder_app;
GRANT UPDATE (removed_at) ON bank.bill TO alder_app;

CREATE TABLE bank.bill_share (
  bill_id      uuid NOT NULL REFERENCES bank.bill,
  place        int NOT NULL,
  -- What the owner calls them.
  name         text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  -- The request that asks for it; of a group's bill the member who owes it.
  request_id   uuid UNIQUE REFERENCES bank.money_request,
  member_id    uuid REFERENCES bank.bill_group_member,
  PRIMARY KEY (bill_id, place),
  CONSTRAINT bill_share_is_asked_or_owed CHECK (num_nonnulls(request_id, member_id) = 1)
);
GRANT SELECT, INSERT ON bank.bill_share TO alder_app;

-- Requests by which a group settles up: what is paid of one is off what `from_id` owes.
CREATE TABLE bank.bill_settlement (
  request_id uuid PRIMARY KEY REFERENCES bank.money_request,
  group_id   uuid NOT NULL REFERENCES bank.bill_group,
  from_id    uuid NOT NULL REFERENCES bank.bill_group_member,
  to_id      uuid NOT NULL REFERENCES bank.bill_group_member
);
CREATE INDEX bill_settlement_group ON bank.bill_settlement (group_id);
GRANT SELECT, INSERT ON bank.bill_settlement TO alder_app;
