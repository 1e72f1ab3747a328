import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { CARD_NAME_LENGTH, type CardLook } from '#contract/card-terms.ts'
import type { Card } from '#contract/cards.ts'
import { CardArt } from '#web/cards/card-art.tsx'
import { LookFields } from '#web/cards/look-fields.tsx'
import { changeCard } from '#web/cards/queries.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

const FORM_ID = 'card-look'

type LookSheetProps = { card: Card; look: CardLook; open: boolean; onOpenChange: (open: boolean) => void }

/** Changes a virtual card's name and design, with a preview. */
export function LookSheet({ card, look: savedLook, open, onOpenChange }: LookSheetProps) {
  const { t } = useLingui()
  const [look, setLook] = useState(savedLook)
  const check: FormCheck<{ name: string }> = ({ name }) =>
    formErrors(name.trim() === '' && { field: 'name', code: 'fields_missing', text: t`Enter a name` })
  const form = useForm({
    initial: { name: card.name },
    check,
    read: ({ name }) => ({ name: name.trim(), look }),
    send: (settings) => changeCard(card.id, settings),
    loading: () => t`Saving your card…`,
    success: () => ({ message: t`Card saved` }),
    onDone: () => onOpenChange(false),
  })
  const isEdited = form.isEdited || look.colour !== savedLook.colour || look.design !== savedLook.design
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      unsaved={isEdited && !form.busy}
      title={t`Name and design`}
      description={t`Choose a name, color and design for this card.`}
      footer={
        <Button type="submit" form={FORM_ID} busy={form.busy} className="w-full">
          <Trans>Save Card</Trans>
        </Button>
      }
    >
      <form id={FORM_ID} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <CardArt card={{ ...card, name: form.values.name, look }} />
        <Field
          {...form.field('name')}
          label={t({ message: 'Name', comment: "The customer's name for a card" })}
          maxLength={CARD_NAME_LENGTH}
          autoComplete="off"
        />
        <LookFields value={look} onChange={setLook} />
      </form>
    </Sheet>
  )
}
