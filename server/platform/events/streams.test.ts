import { expect, test } from 'vitest'
import { openStreams } from '#server/platform/events/streams.ts'

const LIMITS = { perSession: 2, perCustomer: 3, perAddress: 5 }

/** Opens streams with names, and records the names of the replaced ones. */
function streams() {
  const open = openStreams(LIMITS)
  const replaced: string[] = []
  const add = (name: string, [customerId, session, network]: [string, string, string]) =>
    open.open({ session, customerId, network, replace: () => replaced.push(name) })
  return { open, replaced, add }
}

test('the oldest stream of a session ends to make room, and then the oldest of a customer', () => {
  const { open, replaced, add } = streams()
  for (const name of ['1', '2', '3']) add(name, ['ann', 'phone', 'a'])
  expect(replaced).toEqual(['1'])
  add('4', ['ann', 'laptop', 'b'])
  expect(replaced).toEqual(['1'])
  add('5', ['ann', 'laptop', 'b'])
  expect(replaced).toEqual(['1', '2'])
  expect(open.count()).toBe(3)
})

test('at an address with too many streams, the customer with the most makes room', () => {
  const { replaced, add } = streams()
  add('bob', ['bob', 'bob', 'office'])
  for (const [index, session] of ['p', 'q', 'r'].entries()) add(`ann ${index}`, ['ann', session, 'office'])
  add('cat', ['cat', 'cat', 'office'])
  add('dan', ['dan', 'dan', 'office'])
  expect(replaced).toEqual(['ann 0'])
  add('eve', ['eve', 'eve', 'home'])
  expect(replaced).toEqual(['ann 0'])
})

test('a stream that ends frees its slot', () => {
  const { open, replaced, add } = streams()
  const leave = add('1', ['ann', 'phone', 'a'])
  add('2', ['ann', 'phone', 'a'])
  leave()
  add('3', ['ann', 'phone', 'a'])
  expect(replaced).toEqual([])
  expect(open.count()).toBe(2)
})
