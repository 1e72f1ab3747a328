-- Sweeps of every few minutes find what they look for without reading a table whole.
CREATE INDEX claim_waiting ON bank.claim (expires_at) WHERE status = 'open';
CREATE INDEX push_subscription_renewed ON bank.push_subscription (renewed_at);
CREATE INDEX crypto_quote_customer ON bank.crypto_quote (customer_id);
