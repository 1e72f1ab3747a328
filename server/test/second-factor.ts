import { randomBytes } from 'node:crypto'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { secretName, sharedSecret } from '#server/identity/two-factor/two-factor-code.ts'
import { seal } from '#server/platform/secrets/sealed.ts'
import { runAsOwner } from '#server/test/database.ts'
import type { Person } from '#server/test/people.ts'
import type { TestServer } from '#server/test/server.ts'

/** An authenticator app that the bank knows, without the way by which a person sets it up. */
export type SecondFactor = {
  /** Asks, shows the code that the bank wants for it, and asks again. */
  prove(ask: (headers: Record<string, string>) => Promise<Response>): Promise<Response>
}

/** Gives a customer an authenticator app. */
export async function giveSecondFactor(server: TestServer, { customer, browser }: Person): Promise<SecondFactor> {
  const secret = randomBytes(20)
  const sealed = seal(server.deps.config, secretName(customer.id), secret)
  await runAsOwner(
    server.database.ownerUrl,
    `INSERT INTO bank.two_factor (customer_id, secret, last_step, created_at) VALUES ($1, $2, 0, now())`,
    [customer.id, sealed],
  )
  return {
    prove: async (ask) => {
      const answer = await ask({})
      const token = answer.headers.get(STEP_UP_HEADER)
      if (token === null) return answer
      // A code is good once, and the test's clock stands still.
      await runAsOwner(server.database.ownerUrl, 'UPDATE bank.two_factor SET last_step = 0 WHERE customer_id = $1', [
        customer.id,
      ])
      const code = sharedSecret(customer, secret).generate({ timestamp: server.clock.realNow().getTime() })
      const proved = await browser.post(`/api/v1/step-ups/${token}`, { code })
      if (proved.status !== 204) return proved
      return ask({ [STEP_UP_HEADER]: token })
    },
  }
}
