import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Globe, Nfc, ShoppingBag } from 'lucide-react'
import { Link } from 'react-router'
import type { CardSwitch } from '#contract/card-terms.ts'
import type { Card, CardList } from '#contract/cards.ts'
import { percentOf } from '#contract/money.ts'
import { limitErrors } from '#web/cards/limit-check.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { cardsQuery, changeCard } from '#web/cards/queries.ts'
import { money } from '#web/i18n/formats.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { type FormCheck, useForm } from '#web/lib/form.ts'
import { amountText, parseMinor } from '#web/lib/amounts.ts'
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
  /** Whether the address of the screen opens the sheet. */
  addressed?: boolean
}

/** Shows a card's limits and the kinds of payments that it allows. */
export function SettingsSheet({ open, onOpenChange, addressed = false, card, most }: SettingsProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      addressed={addressed}
      title={t`Limits and controls`}
      description={t`Set how much you can spend with this card, and where.`}
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
        <Trans comment="{used} is the total of a month's card payments, {limit} their limit">
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
  const check: FormCheck<Texts> = ({ payment, month }) => [
    ...limitErrors<keyof Texts>('payment', payment, most.paymentMinor, card.asset),
    ...limitErrors<keyof Texts>('month', month, most.monthMinor, card.asset),
  ]
  const form = useForm({
    initial: texts,
    latest: texts,
    check,
    read: ({ payment, month }) => ({
      paymentLimitMinor: parseMinor(payment),
      ...(card.kind !== 'single_use' && { monthLimitMinor: parseMinor(month) }),
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
        hint={isMost.payment ? t`This is the highest limit you can set.` : t`Up to ${paymentMost}`}
      />
      {card.kind !== 'single_use' && (
        <AmountField
          look="line"
          {...form.field('month')}
          label={t`Limit per Month`}
          hint={isMost.month ? t`This is the highest limit you can set.` : t`Up to ${monthMost}`}
        />
      )}
      {(isMost.payment || isMost.month) && <PayOtherwise />}
      <Button type="submit" variant="secondary" busy={form.busy} disabled={!form.isEdited && !form.busy}>
        <Trans>Save Limits</Trans>
      </Button>
    </form>
  )
}

/** Shows other ways to pay if the bank's own limit prevents the card from paying more. */
function PayOtherwise() {
  return (
    <p className="text-sm text-pretty text-ink-soft">
      <Trans comment="Shown if a card's limit cannot be raised further. The link opens the screen for sending money">
        To pay more,{' '}
        <Link to={paths.transfer} className="font-medium text-primary underline underline-offset-2">
          send money from your account
        </Link>
        .
      </Trans>
    </p>
  )
}

/** Returns a mutation that changes a switch at once, and restores the switch if the bank refuses the change. */
function useSwitch({ id }: Card) {
  const queries = useQueryClient()
  const { queryKey } = cardsQuery
  return useMutation({
    scope: { id: `card-${id}` },
    mutationFn: ([name, isOn]: [CardSwitch, boolean]) => changeCard(id, { [name]: isOn }),
    onMutate: async ([name, isOn]) => {
      await queries.cancelQueries({ queryKey })
      const previousList = queries.getQueryData<CardList>(queryKey)
      if (previousList)
        queries.setQueryData<CardList>(queryKey, {
          ...previousList,
          cards: previousList.cards.map((card) => (card.id === id ? { ...card, [name]: isOn } : card)),
        })
      return previousList
    },
    onError: (error, _change, previousList) => {
      if (previousList) queries.setQueryData(queryKey, previousList)
      toastError(error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

function Switches({ card }: { card: Card }) {
  const { t } = useLingui()
  const { mutate } = useSwitch(card)
  const switchProps = (name: CardSwitch) => ({ checked: card[name], onChange: (isOn: boolean) => mutate([name, isOn]) })
  return (
    <Surface className="divide-y divide-line">
      <SwitchRow
        {...switchProps('online')}
        icon={ShoppingBag}
        label={t`Online Payments`}
        description={t`On websites and in apps`}
      />
      {card.kind === 'main' && (
        <SwitchRow
          {...switchProps('contactless')}
          icon={Nfc}
          label={t`Contactless Payments`}
          description={t`By tapping the card on a reader`}
        />
      )}
      <SwitchRow
        {...switchProps('abroad')}
        icon={Globe}
        label={t`Payments Abroad`}
        description={t`In stores in other countries`}
      />
    </Surface>
  )
}
