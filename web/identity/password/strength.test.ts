import { expect, it } from 'vitest'
import { strengthOf } from '#web/identity/password/strength.ts'

it.each([
  ['a', 'weak'],
  ['password', 'weak'],
  ['letmein2024', 'weak'],
  ['qwertyuiop', 'weak'],
  ['summer rain', 'fair'],
  ['copper kettle', 'good'],
  ['vB7#kq9!Lm2x', 'strong'],
  ['👋🏽👋🏽', 'weak'],
] as const)('%s is rated %s', (password, strength) => expect(strengthOf(password, [])).toBe(strength))

it('subtracts the parts that a guesser would know', () => {
  expect(strengthOf('Wilhelmina Brandt', [])).toBe('strong')
  expect(strengthOf('Wilhelmina Brandt', ['Wilhelmina Brandt', 'mina@example.com'])).toBe('weak')
})

it('is fast with the longest possible password', () => {
  const before = process.cpuUsage()
  strengthOf('aB3$'.repeat(50), [])
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_500)
})
