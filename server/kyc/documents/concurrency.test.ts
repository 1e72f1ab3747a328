import { expect, test } from 'vitest'
import { limitDocuments } from '#server/kyc/documents/concurrency.ts'

/** Returns work that runs until the test ends it, with a signal that it has begun. */
function endless() {
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const startedNames: string[] = []
  const work = (name: string) => async () => {
    startedNames.push(name)
    await promise
    return name
  }
  return { started: startedNames, work, end }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the requests of one customer or address do not delay others', async () => {
  const limit = limitDocuments({ perCustomer: 2, perAddress: 3, inAll: 4, waiting: 100 })
  const { started, work, end } = endless()
  const uploads = [
    ...Array.from({ length: 100 }, () => limit({ customerId: 'ann', source: 'a' }, work('ann'))),
    limit({ customerId: 'bob', source: 'a' }, work('bob')),
    limit({ customerId: 'cid', source: 'a' }, work('cid')),
    limit({ customerId: 'dan', source: 'b' }, work('dan')),
    limit({ customerId: 'eve', source: 'b' }, work('eve')),
  ]
  await settled()
  expect(started.toSorted()).toEqual(['ann', 'ann', 'bob', 'dan'])
  end()
  expect(await Promise.all(uploads)).toHaveLength(104)
})

test('a customer with too many waiting requests is refused until they are done', async () => {
  const limit = limitDocuments({ perCustomer: 1, perAddress: 1, inAll: 1, waiting: 2 })
  const { work, end } = endless()
  const ann = { customerId: 'ann', source: 'a' }
  const results = [1, 2, 3].map(() => limit(ann, work('ann')))
  await expect(limit(ann, work('ann'))).rejects.toMatchObject({ code: 'too_many_requests' })
  end()
  await Promise.all(results)
  expect(await limit(ann, async () => 'again')).toBe('again')
})

test('failed work makes room for new work', async () => {
  const limit = limitDocuments({ perCustomer: 1, perAddress: 1, inAll: 1, waiting: 0 })
  const ann = { customerId: 'ann', source: 'a' }
  await expect(limit(ann, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await limit(ann, async () => 'again')).toBe('again')
})
