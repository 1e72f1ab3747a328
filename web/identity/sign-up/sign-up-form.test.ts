import { expect, it } from 'vitest'
import { check, furthestStep, refusedField, type Rules, type SignUpForm } from '#web/identity/sign-up/sign-up-form.ts'

const ANN: SignUpForm = {
  fullName: 'Ann Lee',
  email: 'ann@example.com',
  phone: '07700 900123',
  password: 'copper kettle',
  confirmPassword: 'copper kettle',
}
const annWith = (changes: Partial<SignUpForm>): SignUpForm => ({ ...ANN, ...changes })

const LENIENT: Rules = { password: { minLength: 0, isCommon: () => false }, isPhone: () => true }
const faultsIn = (changes: Partial<SignUpForm>, step: number, rules = LENIENT) =>
  check(annWith(changes), step, rules).map(({ field, code }) => [field, code])

it('finds nothing wrong with what is whole', () => {
  for (const step of [1, 2, 3]) expect(faultsIn({}, step)).toEqual([])
})

it.each([
  [
    1,
    { fullName: '  ', email: '' },
    [
      ['fullName', 'fields_missing'],
      ['email', 'fields_missing'],
    ],
  ],
  [
    1,
    { fullName: '', email: 'not-an-email' },
    [
      ['fullName', 'fields_missing'],
      ['email', 'email_invalid'],
    ],
  ],
  [1, { email: 'not-an-email' }, [['email', 'email_invalid']]],
  [
    2,
    { phone: '', confirmPassword: 'other' },
    [
      ['phone', 'fields_missing'],
      ['confirmPassword', 'passwords_differ'],
    ],
  ],
  [
    2,
    { password: '', confirmPassword: '' },
    [
      ['password', 'fields_missing'],
      ['confirmPassword', 'fields_missing'],
    ],
  ],
  [2, { confirmPassword: 'Copper kettle' }, [['confirmPassword', 'passwords_differ']]],
  [2, { confirmPassword: 'copper kettle ' }, [['confirmPassword', 'passwords_differ']]],
  [2, { email: 'not-an-email', fullName: '' }, []],
] as const)('step %i of %j: %j, the spec’s first', (step, changes, found) =>
  expect(faultsIn(changes, step)).toEqual(found),
)

it('says in its own words under a field what is missing there', () => {
  expect(check(annWith({ email: '' }), 1)).toEqual([
    { field: 'email', code: 'fields_missing', text: 'Enter your email' },
  ])
})

it('asks of a password what this bank does, once all else is right', () => {
  const twice = (password: string) => ({ password, confirmPassword: password })
  const rules: Rules = {
    ...LENIENT,
    password: { minLength: 9, isCommon: (password, { email }) => email === ANN.email && password === 'summer rain' },
  }
  expect(faultsIn(twice('🌳🌳 kettle'), 2, rules)).toEqual([])
  expect(faultsIn(twice('🌳 kettle'), 2, rules)).toEqual([['password', 'password_too_short']])
  expect(faultsIn(twice('summer rain'), 2, rules)).toEqual([['password', 'password_common']])
  expect(faultsIn({ password: 'short', confirmPassword: 'other' }, 2, rules)[0]).toEqual([
    'confirmPassword',
    'passwords_differ',
  ])
})

it('asks for a number that can be one', () => {
  const rules: Rules = { ...LENIENT, isPhone: (text) => text === ANN.phone }
  expect(faultsIn({}, 2, rules)).toEqual([])
  expect(faultsIn({ phone: '12' }, 2, rules)).toEqual([['phone', 'phone_invalid']])
  expect(faultsIn({ phone: ' ' }, 2, rules)).toEqual([['phone', 'fields_missing']])
})

it('takes any password and number until it knows the bank’s rules', () => {
  expect(check(annWith({ phone: 'y', password: ' ', confirmPassword: ' ' }), 2)).toEqual([])
})

it.each([
  [{}, 3],
  [{ password: '', confirmPassword: '' }, 2],
  [{ confirmPassword: 'other' }, 2],
  [{ email: ' ' }, 1],
  [{ email: 'not-an-email' }, 1],
] as const)('with %j one gets to step %i', (changes, step) => expect(furthestStep(annWith(changes))).toBe(step))

it.each([
  [{ code: 'email_invalid' }, 'email'],
  [{ code: 'password_common' }, 'password'],
  [{ code: 'request_invalid', field: 'phone' }, 'phone'],
  [{ code: 'request_invalid', field: 'toString' }, null],
  [{ code: 'too_many_requests' }, null],
] as const)('%j is about %s', (refusal, field) => expect(refusedField(refusal)).toBe(field))
