-- Whose request it is, so that nobody else learns of it or withdraws it; null where nobody was signed in, and of old ones.
-- A request that was withdrawn before it came has the fingerprint '', and is kept for a day.
ALTER TABLE bank.request ADD COLUMN customer_id uuid;
CREATE INDEX request_withdrawn ON bank.request (made_at) WHERE fingerprint = '';
-- What is withdrawn again is kept for a day from then on.
GRANT UPDATE (made_at) ON bank.request TO alder_app;
GRANT UPDATE (refused_at) ON ledger.refusal TO alder_app;
