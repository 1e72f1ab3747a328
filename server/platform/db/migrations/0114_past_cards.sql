-- An advice turns a payment that was declined: it is authorised then.
GRANT UPDATE (authorised_at, expires_at) ON bank.card_authorisation TO alder_app;
