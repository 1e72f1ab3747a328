import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type BankProcess, startBank } from '#server/faults/bank-process.ts'
import { useOwnCluster } from '#server/faults/own-cluster.ts'
import { openFaultPayers } from '#server/faults/payers.ts'
import { openBalancer } from '#server/test/balancer.ts'

const ownCluster = useOwnCluster()

test('servers are replaced one by one, and no request is dropped', { timeout: 300_000 }, async () => {
  const proxy = await openBalancer()
  const start = async (): Promise<BankProcess> => {
    const bank = await startBank({
      dir: ownCluster.dir,
      env: {
        BANK_SECRET: 'a secret of the operator, long enough',
        DATABASE_URL: ownCluster.cluster.ownerUrl(),
        PUBLIC_URL: proxy.url,
        TRUST_PROXY: 'true',
        LOG_LEVEL: 'error',
        DRAIN_SECONDS: '2',
      },
      main: 'server/faults/bank-without-limits.ts',
    })
    await proxy.add(bank.url)
    return bank
  }
  const banks = [await start(), await start()]
  const payers = await openFaultPayers(proxy.url)
  const statuses = new Map<number | null, number>()
  let isGoing = true
  const pay = async () => {
    while (isGoing) {
      const status = await payers.send()
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const payments = Promise.all(Array.from({ length: 8 }, pay))
  for (const bank of banks) {
    await start()
    await sleep(1_000)
    expect(await bank.end('SIGTERM')).toBe(0)
    await sleep(1_000)
  }
  isGoing = false
  await payments
  expect([...statuses.keys()]).toEqual([200])
  expect(payers.acknowledged()).toBeGreaterThan(100)
  await payers.verify(proxy.url)
  proxy.close()
})
