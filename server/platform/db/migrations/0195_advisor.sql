-- What customers asked the advisor, and what it replied.
CREATE TABLE bank.advisor_exchange (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  -- The order of a conversation.
  place        bigint GENERATED ALWAYS AS IDENTITY,
  question     text NOT NULL CHECK (length(question) BETWEEN 1 AND 500),
  -- Business time.
  asked_at     timestamptz NOT NULL,
  -- What the rules reply, as codes with figures.
  statements   jsonb NOT NULL,
  -- What a model has written so far, and where its figures come from; null where the rules reply.
  prose        text,
  links        jsonb NOT NULL DEFAULT '[]',
  -- Until when more prose may come, real time; null where none will. After that the rules reply.
  writes_until timestamptz
);
CREATE INDEX advisor_exchange_customer ON bank.advisor_exchange (customer_id, place);
GRANT SELECT, INSERT, DELETE ON bank.advisor_exchange TO alder_app;
GRANT UPDATE (prose, links, writes_until) ON bank.advisor_exchange TO alder_app;
