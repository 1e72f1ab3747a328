-- Points are an asset of the ledger; what stands here is why somebody has them (docs/rewards.md).

-- Who collects points. Whatever gives or takes a customer's points holds their row.
CREATE TABLE bank.collector (
  customer_id   uuid PRIMARY KEY REFERENCES bank.customer,
  account_id    bigint NOT NULL UNIQUE,
  -- What they give to friends.
  referral_code text NOT NULL UNIQUE,
  -- What happened before earns nothing. Business time.
  since         timestamptz NOT NULL,
  -- Points that a refund takes back and that were spent by then: paid with the next ones.
  owed          bigint NOT NULL DEFAULT 0 CHECK (owed >= 0)
);
GRANT SELECT, INSERT, UPDATE (owed) ON bank.collector TO alder_app;

-- What earned points, once each.
CREATE TABLE bank.points_earning (
  -- The operation, mandate or referral that earned them.
  cause_id     uuid PRIMARY KEY,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  kind         text NOT NULL CHECK (kind IN ('card', 'send', 'refer_friend', 'direct_debit')),
  -- The business day (UTC) or, of what is counted by the month, its first day.
  counted_on   date NOT NULL,
  -- What earns once, whatever it is done by: two people on one day, a biller, a friend.
  once_for     text UNIQUE,
  -- Of a payment, and null of all else.
  amount_minor bigint CHECK (amount_minor > 0),
  points       bigint NOT NULL CHECK (points > 0),
  taken_back   bigint NOT NULL DEFAULT 0 CHECK (taken_back BETWEEN 0 AND points)
);
CREATE INDEX points_earning_counted ON bank.points_earning (customer_id, counted_on);
GRANT SELECT, INSERT, UPDATE (taken_back) ON bank.points_earning TO alder_app;

-- Money that came back of a payment, kept whether or not the payment has earned anything yet.
CREATE TABLE bank.points_refund (
  refund_id    uuid PRIMARY KEY,
  cause_id     uuid NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0)
);
CREATE INDEX points_refund_cause ON bank.points_refund (cause_id);
GRANT SELECT, INSERT ON bank.points_refund TO alder_app;

-- A stretch of Premium without a gap: it doubles points from started_at until paid_until.
CREATE TABLE bank.premium (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES bank.customer,
  started_at  timestamptz NOT NULL,
  -- Months paid for since then, and when the last of them ends.
  months      integer NOT NULL CHECK (months > 0),
  paid_until  timestamptz NOT NULL,
  renews      boolean NOT NULL,
  -- How often the next month could not be charged, and when it is tried again.
  tries       integer NOT NULL DEFAULT 0,
  try_at      timestamptz,
  ended_at    timestamptz
);
CREATE UNIQUE INDEX premium_one_at_a_time ON bank.premium (customer_id) WHERE ended_at IS NULL;
CREATE INDEX premium_customer ON bank.premium (customer_id, started_at);
CREATE INDEX premium_due ON bank.premium (paid_until) WHERE ended_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON bank.premium TO alder_app;

-- What points were spent on. The id is that of the operation that took them.
CREATE TABLE bank.redemption (
  id          uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES bank.customer,
  reward      text NOT NULL CHECK (reward IN ('cashback', 'premium_month', 'voucher', 'lounge')),
  points      bigint NOT NULL CHECK (points > 0),
  -- What the partner is shown, where the reward is a partner's.
  code        text UNIQUE,
  redeemed_at timestamptz NOT NULL
);
CREATE INDEX redemption_customer ON bank.redemption (customer_id, redeemed_at, id);
GRANT SELECT, INSERT ON bank.redemption TO alder_app;

-- Who came by whose code. One friend has one referrer, and is nobody's own.
CREATE TABLE bank.referral (
  id          uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  friend_id   uuid PRIMARY KEY REFERENCES bank.customer,
  referrer_id uuid NOT NULL REFERENCES bank.customer,
  joined_at   timestamptz NOT NULL,
  CHECK (friend_id <> referrer_id)
);
CREATE INDEX referral_referrer ON bank.referral (referrer_id, joined_at);
GRANT SELECT, INSERT ON bank.referral TO alder_app;

-- Up to when (business time) all sends have been looked at for points that a server that died had still to give.
-- Nobody is given any for what was sent before there were points for sends.
CREATE TABLE bank.points_sweep (
  id          boolean PRIMARY KEY DEFAULT true CHECK (id),
  swept_until timestamptz NOT NULL
);
INSERT INTO bank.points_sweep (swept_until)
  SELECT coalesce(max(booked_at), 'epoch') FROM ledger.transfer;
GRANT SELECT, UPDATE ON bank.points_sweep TO alder_app;

-- Transfers are added nearly in the order of their dates, so this finds a stretch of time and costs next to nothing.
CREATE INDEX transfer_booked_at ON ledger.transfer USING brin (booked_at) WITH (pages_per_range = 16);
