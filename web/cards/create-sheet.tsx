import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CARD_NAME_LENGTH, type CardLook, FIRST_LOOKS } from '#contract/card-terms.ts'
import type { CardList, NewCardRequest } from '#contract/cards.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { limitErrors } from '#web/cards/limit-check.ts'
import { LookFields } from '#web/cards/look-fields.tsx'
import { NewCardArt } from '#web/cards/new-card-art.tsx'
import { AmountField } from '#web/ui/amount-field.tsx'
import { createCard } from '#web/cards/queries.ts'
import { money } from '#web/i18n/formats.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { amountErrors, amountText, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const FORM_ID = 'create-card'

type CreateProps = { open: boolean; onOpenChange: (open: boolean) => void; most: CardList['most'] }
type Texts = { name: string; limit: string; load: string }
type Kind = NewCardRequest['kind']

function useCreateForm(kind: Kind, look: CardLook, { most, onOpenChange }: CreateProps) {
  const { t } = useLingui()
  const mostMinor = kind === 'single_use' ? most.paymentMinor : most.monthMinor
  const check: FormCheck<Texts> = ({ name, limit, load }) => [
    ...formErrors<keyof Texts>(
      name.trim() === '' && { field: 'name', code: 'fields_missing', text: t`Enter a name` },
      limit.trim() === '' && { field: 'limit', code: 'fields_missing', text: t`Enter a limit` },
    ),
    ...(limit.trim() === '' ? [] : limitErrors<keyof Texts>('limit', limit, mostMinor, 'USD')),
    ...(load.trim() === '' ? [] : amountErrors<keyof Texts>('load', load)),
  ]
  return useForm({
    initial: { name: '', limit: '', load: '' },
    startAt: 'name',
    check,
    read: ({ name, limit, load }): NewCardRequest => ({
      name: name.trim(),
      kind,
      look,
      limitMinor: parseMinor(limit),
      ...(load.trim() && { loadMinor: parseMinor(load) }),
      asset: 'USD',
    }),
    send: createCard,
    loading: () => t`Creating your card…`,
    success: (_, { name }) => ({ message: t`${name} is ready to use` }),
    outcome: () => ({ sent: t`Your card was created`, notSent: t`Canceled. No card was created` }),
    refusedField: ({ code, field }) =>
      field === 'limitMinor' ? 'limit' : code === 'insufficient_funds' || field === 'loadMinor' ? 'load' : null,
    onDone: () => onOpenChange(false),
  })
}

/** Creates a virtual card. */
export function CreateSheet(props: CreateProps) {
  const { t } = useLingui()
  const { open, onOpenChange } = props
  const [kind, setKind] = useState<Kind>('multi_use')
  const [chosenLook, setLook] = useState<CardLook | null>(null)
  const look = chosenLook ?? FIRST_LOOKS[kind]
  const form = useCreateForm(kind, look, props)
  const account = useQuery(dashboardQuery).data?.account
  const available = account && money(account.availableMinor, account.asset)
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Create a virtual card`}
      description={t`Choose how you'll use it. It's ready right away.`}
      footer={
        <Button type="submit" form={FORM_ID} busy={form.busy} className="w-full">
          <Trans>Create Card</Trans>
        </Button>
      }
    >
      <form id={FORM_ID} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <NewCardArt name={form.values.name} look={look} />
        <Field
          {...form.field('name')}
          label={t({ message: 'Name', comment: "The customer's name for a card" })}
          placeholder={t`Online shopping`}
          maxLength={CARD_NAME_LENGTH}
          autoComplete="off"
        />
        <LookFields value={look} onChange={setLook} />
        <KindField kind={kind} onChange={setKind} />
        <AmountField
          look="line"
          {...form.field('limit')}
          label={kind === 'single_use' ? t`Payment Limit` : t`Monthly Limit`}
          placeholder={amountText(100_00)}
        />
        <AmountField
          look="line"
          {...form.field('load')}
          label={t`Starting Balance (optional)`}
          placeholder={amountText(100_00)}
          hint={
            available && (
              <span className="tabular">{t`You can only spend what you put on it. ${available} available`}</span>
            )
          }
          enterKeyHint="send"
        />
      </form>
    </Sheet>
  )
}

function KindField({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  const { t } = useLingui()
  return (
    <div>
      <Segmented
        label={t`Payments`}
        value={kind}
        onChange={onChange}
        options={[
          { value: 'multi_use', label: t({ message: 'Reusable', context: 'virtual card' }) },
          { value: 'single_use', label: t({ message: 'Single-Use', context: 'virtual card' }) },
        ]}
      />
      <p className="mt-1.5 text-sm text-pretty text-ink-soft">
        {kind === 'single_use' ? (
          <Trans>It stops working after its first payment. Any money left goes back to your account.</Trans>
        ) : (
          <Trans>Use it for as long as you like. Delete it whenever you want.</Trans>
        )}
      </p>
    </div>
  )
}
