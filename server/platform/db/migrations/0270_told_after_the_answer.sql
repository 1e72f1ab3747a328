-- Whether somebody who is asked for money knows who asks is found out after the answer, which must not take longer for them.
GRANT UPDATE (from_stranger, hidden) ON bank.money_request TO alder_app;
