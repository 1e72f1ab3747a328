import { expect, it } from 'vitest'
import { validate, furthestStep, refusedField, type SignUpForm } from '#web/identity/sign-up/sign-up-form.ts'

const ANN: SignUpForm = {
  fullName: 'Ann Lee',
  email: 'ann@example.com',
  phone: '07700 900123',
  password: 'copper kettle',
  confirmPassword: 'copper kettle',
}
const annWith = (changes: Partial<SignUpForm>): SignUpForm => ({ ...ANN, ...changes })

it('finds nothing wrong with what is whole', () => {
  for (const step of [1, 2, 3]) expect(validate(ANN, step)).toBeNull()
})

it.each([
  [1, { fullName: '  ', email: '' }, 'fields_missing', ['fullName', 'email']],
  [1, { email: '' }, 'fields_missing', ['email']],
  [2, { phone: '', confirmPassword: 'other' }, 'fields_missing', ['phone']],
  [2, { password: '', confirmPassword: '' }, 'fields_missing', ['password', 'confirmPassword']],
  [2, { confirmPassword: 'Copper kettle' }, 'passwords_differ', ['confirmPassword']],
  [2, { confirmPassword: 'copper kettle ' }, 'passwords_differ', ['confirmPassword']],
] as const)('step %i of %j is %s', (step, changes, code, fields) =>
  expect(validate(annWith(changes), step)).toEqual({ code, fields }),
)

it('asks for as many characters of a password as the bank does, once all else is right', () => {
  const short = annWith({ password: '🌳🌳 kettle', confirmPassword: '🌳🌳 kettle' })
  expect(validate(short, 2, 9)).toBeNull()
  expect(validate(short, 2, 10)).toEqual({ code: 'password_too_short', fields: ['password'] })
  expect(validate({ ...short, confirmPassword: 'other' }, 2, 10)?.code).toBe('passwords_differ')
  expect(validate(short, 3, 10)).toBeNull()
})

it('knows no other rule for an email, a phone number or a password: those are the bank’s', () => {
  const odd = annWith({ email: 'x', phone: 'y', password: ' ', confirmPassword: ' ' })
  expect([validate(odd, 1), validate(odd, 2)]).toEqual([null, null])
})

it.each([
  [{}, 3],
  [{ password: '', confirmPassword: '' }, 2],
  [{ confirmPassword: 'other' }, 2],
  [{ email: ' ' }, 1],
] as const)('with %j one gets to step %i', (changes, step) => expect(furthestStep(annWith(changes))).toBe(step))

it.each([
  [{ code: 'email_invalid' }, 'email'],
  [{ code: 'password_common' }, 'password'],
  [{ code: 'request_invalid', field: 'phone' }, 'phone'],
  [{ code: 'request_invalid', field: 'toString' }, null],
  [{ code: 'too_many_requests' }, null],
] as const)('%j is about %s', (refusal, field) => expect(refusedField(refusal)).toBe(field))
