import { expect, test } from 'vitest'
import { avatarText, initialsOf } from '#contract/initials.ts'

test('initials are the first letters of the first and last name', () => {
  expect(['Ann Marie Lee', 'ann', ' Zoë  Äpfel ', '王小明', '🙂 Smile'].map(initialsOf)).toEqual([
    'AL',
    'A',
    'ZÄ',
    '王',
    '🙂S',
  ])
})

test('a customer with only an email or a number is shown with its first letter or last digits', () => {
  expect(['Ann Lee', 'ann@example.com', '+44 7700 900837'].map(avatarText)).toEqual(['AL', 'A', '37'])
})
