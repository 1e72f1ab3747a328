import { expect, test } from 'vitest'
import { inboxOf } from '#server/mail/inbox.ts'

test.each([
  ['ann@example.com', 'ann@example.com'],
  ['Ann+shop@Example.com', 'ann@example.com'],
  ['ann+a+b@example.com', 'ann@example.com'],
  ['a.n.n+x@gmail.com', 'ann@gmail.com'],
  ['ann@googlemail.com', 'ann@gmail.com'],
  ['ann-shop@yahoo.com', 'ann@yahoo.com'],
  ['ann@me.com', 'ann@icloud.com'],
  ['a.n.n@pm.me', 'ann@proton.me'],
  // With an unknown provider, dots and hyphens distinguish people.
  ['a.nn@example.com', 'a.nn@example.com'],
  ['ann-b@example.com', 'ann-b@example.com'],
  ['+1@example.com', '+1@example.com'],
])('mail for %s reaches %s', (email, inbox) => expect(inboxOf(email)).toBe(inbox))
