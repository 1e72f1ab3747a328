-- What a customer does not want to hear of, beside the two switches of old; server/notifications/topics.ts has the topics.
ALTER TABLE bank.customer
  ADD COLUMN muted_topics text[] NOT NULL DEFAULT '{}' CHECK (cardinality(muted_topics) <= 50);
GRANT UPDATE (muted_topics) ON bank.customer TO alder_app;

-- A list is read from its newest notice on, and notices are removed once they are old.
DROP INDEX bank.notification_customer;
CREATE INDEX notification_customer ON bank.notification (customer_id, created_at DESC, id DESC);
CREATE INDEX notification_age ON bank.notification USING brin (created_at);
GRANT DELETE ON bank.notification TO alder_app;
