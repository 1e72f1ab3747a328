-- A standard name for what works once: a mailed link, a challenge, a sign-in that waits for its second factor.
ALTER TABLE bank.ticket RENAME TO one_time_token;
ALTER INDEX bank.ticket_customer RENAME TO one_time_token_customer;
ALTER INDEX bank.ticket_expiry RENAME TO one_time_token_expiry;
