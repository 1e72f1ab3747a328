import { randomBytes } from 'node:crypto'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { secretName, sharedSecret } from '#server/identity/two-factor/two-factor-code.ts'
import { seal } from '#server/platform/secrets/sealed.ts'
import { runAsOwner } from '#server/test/database.ts'
import type { TestPerson } from '#server/test/people.ts'
import type { TestServer } from '#server/test/server.ts'

/** A customer's authenticator app, registered without the setup in the app. */
export type SecondFactor = {
  /** Sends a request, adds the code that the bank requires, and sends it again. */
  prove(ask: (headers: Record<string, string>) => Promise<Response>): Promise<Response>
}

/** Registers an authenticator app for a customer. */
export async function giveSecondFactor(server: TestServer, { customer, browser }: TestPerson): Promise<SecondFactor> {
  const secret = randomBytes(20)
  const sealedSecret = seal(server.deps.config, secretName(customer.id), secret)
  await runAsOwner(
    server.database.ownerUrl,
    `INSERT INTO bank.two_factor (customer_id, secret, last_step, created_at) VALUES ($1, $2, 0, now())`,
    [customer.id, sealedSecret],
  )
  return {
    prove: async (ask) => {
      const answer = await ask({})
      const token = answer.headers.get(STEP_UP_HEADER)
      if (token === null) return answer
      // A code is valid once, and the test's clock stands still, so the last step is reset.
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
