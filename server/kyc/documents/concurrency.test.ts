import { expect, test } from 'vitest'
import { limitDocuments } from '#server/kyc/documents/concurrency.ts'

/** Work that goes on until it is told to end, and says when it has begun. */
function endless() {
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const begun: string[] = []
  const work = (name: string) => async () => {
    begun.push(name)
    await promise
    return name
  }
  return { begun, work, end }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('what one customer or one address asks for does not keep others waiting', async () => {
  const limit = limitDocuments({ perCustomer: 2, perAddress: 3, inAll: 4, waiting: 100 })
  const { begun, work, end } = endless()
  const asked = [
    ...Array.from({ length: 100 }, () => limit({ customerId: 'ann', source: 'a' }, work('ann'))),
    limit({ customerId: 'bob', source: 'a' }, work('bob')),
    limit({ customerId: 'cid', source: 'a' }, work('cid')),
    limit({ customerId: 'dan', source: 'b' }, work('dan')),
    limit({ customerId: 'eve', source: 'b' }, work('eve')),
  ]
  await settled()
  expect(begun.toSorted()).toEqual(['ann', 'ann', 'bob', 'dan'])
  end()
  expect(await Promise.all(asked)).toHaveLength(104)
})

test('a customer who has too much waiting is refused, until it is done', async () => {
  const limit = limitDocuments({ perCustomer: 1, perAddress: 1, inAll: 1, waiting: 2 })
  const { work, end } = endless()
  const ann = { customerId: 'ann', source: 'a' }
  const asked = [1, 2, 3].map(() => limit(ann, work('ann')))
  await expect(limit(ann, work('ann'))).rejects.toMatchObject({ code: 'too_many_requests' })
  end()
  await Promise.all(asked)
  expect(await limit(ann, async () => 'again')).toBe('again')
})

test('failed work makes room for the next', async () => {
  const limit = limitDocuments({ perCustomer: 1, perAddress: 1, inAll: 1, waiting: 0 })
  const ann = { customerId: 'ann', source: 'a' }
  await expect(limit(ann, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await limit(ann, async () => 'again')).toBe('again')
})
