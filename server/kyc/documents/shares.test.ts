import { expect, test } from 'vitest'
import { createShares } from '#server/kyc/documents/shares.ts'

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

test('what one customer or one address has asked for keeps nobody else waiting', async () => {
  const shares = createShares({ perCustomer: 2, perAddress: 3, inAll: 4, waiting: 100 })
  const { begun, work, end } = endless()
  const asked = [
    ...Array.from({ length: 100 }, () => shares({ customerId: 'ann', source: 'a' }, work('ann'))),
    shares({ customerId: 'bob', source: 'a' }, work('bob')),
    shares({ customerId: 'cid', source: 'a' }, work('cid')),
    shares({ customerId: 'dan', source: 'b' }, work('dan')),
    shares({ customerId: 'eve', source: 'b' }, work('eve')),
  ]
  await settled()
  expect(begun.toSorted()).toEqual(['ann', 'ann', 'bob', 'dan'])
  end()
  expect(await Promise.all(asked)).toHaveLength(104)
})

test('a customer who has too much waiting is refused, until it is done', async () => {
  const shares = createShares({ perCustomer: 1, perAddress: 1, inAll: 1, waiting: 2 })
  const { work, end } = endless()
  const ann = { customerId: 'ann', source: 'a' }
  const asked = [1, 2, 3].map(() => shares(ann, work('ann')))
  expect(() => shares(ann, work('ann'))).toThrow(expect.objectContaining({ code: 'too_many_requests' }))
  end()
  await Promise.all(asked)
  expect(await shares(ann, async () => 'again')).toBe('again')
})

test('work that fails leaves its share', async () => {
  const shares = createShares({ perCustomer: 1, perAddress: 1, inAll: 1, waiting: 0 })
  const ann = { customerId: 'ann', source: 'a' }
  await expect(shares(ann, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await shares(ann, async () => 'again')).toBe('again')
})
