import { expect, it } from 'vitest'
import {
  checkSignUpStep,
  furthestStep,
  refusedField,
  type SignUpRules,
  type SignUpForm,
} from '#web/identity/sign-up/sign-up-form.ts'

const ANN: SignUpForm = {
  fullName: 'Ann Lee',
  email: 'ann@example.com',
  phone: '07700 900123',
  password: 'copper kettle',
  confirmPassword: 'copper kettle',
}
const annWith = (changes: Partial<SignUpForm>): SignUpForm => ({ ...ANN, ...changes })

const LENIENT: SignUpRules = { password: { minLength: 0, isCommon: () => false }, isPhone: () => true }
const faultsIn = (changes: Partial<SignUpForm>, step: number, rules = LENIENT) =>
  checkSignUpStep(annWith(changes), step, rules).map(({ field, code }) => [field, code])

it('a complete form has no errors', () => {
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
] as const)('step %i with %j has the errors %j', (step, changes, errors) =>
  expect(faultsIn(changes, step)).toEqual(errors),
)

it('each empty field has its own error text', () => {
  expect(checkSignUpStep(annWith({ email: '' }), 1)).toEqual([
    { field: 'email', code: 'fields_missing', text: 'Enter your email' },
  ])
})

const twice = (password: string) => ({ password, confirmPassword: password })

it('the length of a password counts characters, not UTF-16 code units', () => {
  const rules: SignUpRules = { ...LENIENT, password: { minLength: 9, isCommon: () => false } }
  expect(faultsIn(twice('🌳🌳 kettle'), 2, rules)).toEqual([])
  expect(faultsIn(twice('🌳 kettle'), 2, rules)).toEqual([['password', 'password_too_short']])
})

it('the bank’s password rules apply after all other checks', () => {
  const rules: SignUpRules = {
    ...LENIENT,
    password: { minLength: 9, isCommon: (password, { email }) => email === ANN.email && password === 'summer rain' },
  }
  expect(faultsIn(twice('summer rain'), 2, rules)).toEqual([['password', 'password_common']])
  expect(faultsIn({ password: 'short', confirmPassword: 'other' }, 2, rules)[0]).toEqual([
    'confirmPassword',
    'passwords_differ',
  ])
})

it('a phone number has to be possible', () => {
  const rules: SignUpRules = { ...LENIENT, isPhone: (text) => text === ANN.phone }
  expect(faultsIn({}, 2, rules)).toEqual([])
  expect(faultsIn({ phone: '12' }, 2, rules)).toEqual([['phone', 'phone_invalid']])
  expect(faultsIn({ phone: ' ' }, 2, rules)).toEqual([['phone', 'fields_missing']])
})

it('any password and number are accepted until the bank’s rules are loaded', () => {
  expect(checkSignUpStep(annWith({ phone: 'y', password: ' ', confirmPassword: ' ' }), 2)).toEqual([])
})

it.each([
  [{}, 3],
  [{ password: '', confirmPassword: '' }, 2],
  [{ confirmPassword: 'other' }, 2],
  [{ email: ' ' }, 1],
  [{ email: 'not-an-email' }, 1],
] as const)('with %j the form reaches step %i', (changes, step) => expect(furthestStep(annWith(changes))).toBe(step))

it.each([
  [{ code: 'email_invalid' }, 'email'],
  [{ code: 'password_common' }, 'password'],
  [{ code: 'request_invalid', field: 'phone' }, 'phone'],
] as const)('the refusal %j belongs to the field %s', (refusal, field) => expect(refusedField(refusal)).toBe(field))

it.each([{ code: 'request_invalid', field: 'toString' }, { code: 'too_many_requests' }] as const)(
  'the refusal %j belongs to no field',
  (refusal) => expect(refusedField(refusal)).toBeNull(),
)
