import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { longDay } from '#web/i18n/dates.ts'
import { betweenSentences } from '#web/i18n/formats.ts'
import { type FormCheck, useForm } from '#web/lib/form.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { verifyAccount } from '#web/payment-methods/queries.ts'
import { amountErrors, amountText, parseMinor } from '#web/lib/amounts.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { Button } from '#web/ui/button.tsx'

type Values = { first: string; second: string }
const FIELDS = ['first', 'second'] as const

function useVerifyForm({ id, name }: LinkedAccount) {
  const { t } = useLingui()
  const check: FormCheck<Values> = (values) =>
    FIELDS.flatMap((field) =>
      amountErrors(field, values[field], { empty: 'fields_missing', tooLarge: 'amount_invalid' }),
    )
  return useForm({
    initial: { first: '', second: '' },
    check,
    read: ({ first, second }) => ({ firstMinor: parseMinor(first), secondMinor: parseMinor(second) }),
    send: (content, key) => verifyAccount(id, content, key),
    loading: () => t`Checking the amounts…`,
    success: () => ({ message: t`${name} is verified` }),
    refusedField: ({ code }) => (code === 'deposits_wrong' ? 'first' : null),
  })
}

/** Asks for the amounts of the two test deposits. */
export function Verify({ account }: { account: LinkedAccount }) {
  const { t } = useLingui()
  const form = useVerifyForm(account)
  const now = useBusinessNow()
  const { triesLeft, expiresAt } = account
  const day = expiresAt && longDay(expiresAt, now)
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <div>
        <h3 className="font-semibold">
          <Trans>Verify Your Account</Trans>
        </h3>
        <p className="mt-1 text-[0.9375rem] text-pretty text-ink-soft">
          <Trans comment="{day} is a day such as Monday, August 31">
            We've sent two small deposits to this account. Enter their amounts by {day}.
          </Trans>
          {betweenSentences()}
          {triesLeft < 3 && plural(triesLeft, { one: 'You have one try left.', other: 'You have # tries left.' })}
        </p>
        <SampleHint />
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-3">
        {FIELDS.map((field) => (
          <AmountField
            key={field}
            look="line"
            {...form.field(field)}
            label={field === 'first' ? t`First Deposit` : t`Second Deposit`}
            placeholder={amountText(12)}
          />
        ))}
      </div>
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans context="linked account">Verify</Trans>
      </Button>
    </form>
  )
}

/** Links a sample customer to the simulated other bank, because an invented account has no real app that shows the deposits. */
function SampleHint() {
  const { data } = useQuery(meQuery)
  if (data?.mode !== 'sample') return null
  return (
    <Link to={paths.sample} className="inline-flex min-h-11 items-center font-semibold text-primary">
      <Trans>See What Your Other Bank Shows</Trans>
    </Link>
  )
}
