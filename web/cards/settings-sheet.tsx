import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Globe, Nfc, ShoppingBag } from 'lucide-react'
import { Link } from 'react-router'
import type { CardSwitch } from '#contract/card-terms.ts'
import type { Card, CardList } from '#contract/cards.ts'
import { percentOf } from '#contract/money.ts'
import { limitFaults } from '#web/cards/limit-check.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { cardsQuery, changeCard } from '#web/cards/queries.ts'
import { money } from '#web/i18n/formats.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { type Check, useForm } from '#web/lib/form.ts'
import { amountText, readMinor } from '#web/lib/amounts.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { useSheetEdits } from '#web/ui/sheet-edits.ts'
import { Money } from '#web/ui/money.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Card as Surface } from '#web/ui/screen.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'
import { ZoneNote } from '#web/ui/zone-note.tsx'

type SettingsProps = {
  card: Card
  most: CardList['most']
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The address of the screen opens it. */
  addressed?: boolean
}

/** What a card may pay, and where. */
export function SettingsSheet({ open, onOpenChange, addressed = false, card, most }: SettingsProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      addressed={addressed}
      title={t`Limits and controls`}
      description={t`What this card may pay, and where.`}
    >
      <div className="flex flex-col gap-5">
        {card.kind !== 'single_use' && <Used card={card} />}
        <Limits card={card} most={most} />
        <Switches card={card} />
      </div>
    </Sheet>
  )
}

function Used({ card }: { card: Card }) {
  const { t } = useLingui()
  const { usedThisMonthMinor, monthLimitMinor, asset } = card
  const used = <Money amountMinor={usedThisMonthMinor} asset={asset} className="font-semibold text-ink" />
  const limit = <Money amountMinor={monthLimitMinor} asset={asset} />
  return (
    <div className="space-y-2">
      <p className="text-sm text-ink-soft">
        <Trans comment="What card payments of a month come to, and the limit for them">
          {used} of {limit} used this month
        </Trans>
      </p>
      <Progress label={t`Used This Month`} percent={percentOf(usedThisMonthMinor, monthLimitMinor)} />
      <ZoneNote />
    </div>
  )
}

type Texts = { payment: string; month: string }

function Limits({ card, most }: Pick<SettingsProps, 'card' | 'most'>) {
  const { t } = useLingui()
  const texts = { payment: amountText(card.paymentLimitMinor), month: amountText(card.monthLimitMinor) }
  const check: Check<Texts> = ({ payment, month }) => [
    ...limitFaults<keyof Texts>('payment', payment, most.paymentMinor, card.asset),
    ...limitFaults<keyof Texts>('month', month, most.monthMinor, card.asset),
  ]
  const form = useForm({
    initial: texts,
    latest: texts,
    check,
    read: ({ payment, month }) => ({
      paymentLimitMinor: readMinor(payment),
      ...(card.kind !== 'single_use' && { monthLimitMinor: readMinor(month) }),
    }),
    send: (settings) => changeCard(card.id, settings),
    loading: () => t`Saving the limits…`,
    success: () => ({ message: t`Limits saved` }),
    refusedField: ({ field }) =>
      field === 'paymentLimitMinor' ? 'payment' : field === 'monthLimitMinor' ? 'month' : null,
    onDone: (_, { paymentLimitMinor, monthLimitMinor = card.monthLimitMinor }) =>
      form.reset({ payment: amountText(paymentLimitMinor), month: amountText(monthLimitMinor) }),
  })
  const [paymentMost, monthMost] = [money(most.paymentMinor, card.asset), money(most.monthMinor, card.asset)]
  const isMost = {
    payment: card.paymentLimitMinor >= most.paymentMinor,
    month: card.kind !== 'single_use' && card.monthLimitMinor >= most.monthMinor,
  }
  useSheetEdits(form.isEdited && !form.busy)
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <AmountField
        look="line"
        {...form.field('payment')}
        label={t`Limit per Payment`}
        hint={isMost.payment ? t`This is the highest limit there is.` : t`Up to ${paymentMost}`}
      />
      {card.kind !== 'single_use' && (
        <AmountField
          look="line"
          {...form.field('month')}
          label={t`Limit per Month`}
          hint={isMost.month ? t`This is the highest limit there is.` : t`Up to ${monthMost}`}
        />
      )}
      {(isMost.payment || isMost.month) && <PayOtherwise />}
      <Button type="submit" variant="secondary" busy={form.busy} disabled={!form.isEdited && !form.busy}>
        <Trans>Save Limits</Trans>
      </Button>
    </form>
  )
}

/** What helps where a card may not pay more, whatever its holder sets. */
function PayOtherwise() {
  return (
    <p className="text-sm text-pretty text-ink-soft">
      <Trans comment="Where a card's limit cannot be raised any more; the link leads to sending money">
        To pay more,{' '}
        <Link to={paths.transfer} className="font-medium text-primary underline underline-offset-2">
          send money from your account
        </Link>
        .
      </Trans>
    </p>
  )
}

/** Shown at once, and as it was before where the bank refuses. */
function useSwitch({ id }: Card) {
  const queries = useQueryClient()
  const { queryKey } = cardsQuery
  return useMutation({
    scope: { id: `card-${id}` },
    mutationFn: ([name, on]: [CardSwitch, boolean]) => changeCard(id, { [name]: on }),
    onMutate: async ([name, on]) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData<CardList>(queryKey)
      if (before)
        queries.setQueryData<CardList>(queryKey, {
          ...before,
          cards: before.cards.map((card) => (card.id === id ? { ...card, [name]: on } : card)),
        })
      return before
    },
    onError: (error, _change, before) => {
      if (before) queries.setQueryData(queryKey, before)
      toastError(error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

function Switches({ card }: { card: Card }) {
  const { t } = useLingui()
  const { mutate } = useSwitch(card)
  const turn = (name: CardSwitch) => ({ checked: card[name], onChange: (on: boolean) => mutate([name, on]) })
  return (
    <Surface className="divide-y divide-line">
      <SwitchRow
        {...turn('online')}
        icon={ShoppingBag}
        label={t`Online Payments`}
        description={t`In shops and apps on the internet`}
      />
      {card.kind === 'main' && (
        <SwitchRow
          {...turn('contactless')}
          icon={Nfc}
          label={t`Contactless Payments`}
          description={t`By holding the card to a reader`}
        />
      )}
      <SwitchRow
        {...turn('abroad')}
        icon={Globe}
        label={t`Payments Abroad`}
        description={t`In shops of other countries`}
      />
    </Surface>
  )
}
