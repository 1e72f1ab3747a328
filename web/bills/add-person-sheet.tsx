import { Trans, useLingui } from '@lingui/react/macro'
import { avatarText } from '#contract/initials.ts'
import type { Sharer } from '#web/bills/people-options.tsx'
import { isAddress } from '#web/lib/address.ts'
import { type FormCheck, formErrors, useFields } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type AddPersonSheetProps = { open: boolean; onOpenChange: (open: boolean) => void; onAdd: (person: Sharer) => void }

export function AddPersonSheet({ open, onOpenChange, onAdd }: AddPersonSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`Add someone`}
      description={t`Their name, and their email or phone number`}
    >
      <PersonForm
        onAdd={(person) => {
          onAdd(person)
          onOpenChange(false)
        }}
      />
    </Sheet>
  )
}

type Values = { name: string; address: string }

function PersonForm({ onAdd }: { onAdd: (person: Sharer) => void }) {
  const { t } = useLingui()
  const check: FormCheck<Values> = ({ name, address }) =>
    formErrors(
      name.trim() === '' && { field: 'name', code: 'fields_missing', text: t`Enter a name` },
      address.trim() === '' && { field: 'address', code: 'fields_missing', text: t`Enter an email or phone number` },
      address.trim() !== '' && !isAddress(address) && { field: 'address', code: 'recipient_invalid' },
    )
  const form = useFields<Values>({ initial: { name: '', address: '' }, check, startAt: 'name' })
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ name, address }) =>
        onAdd({
          id: address.trim(),
          name: name.trim(),
          initials: avatarText(name.trim()),
          description: address.trim(),
        }),
      )}
      className="flex flex-col gap-4"
    >
      <Field
        {...form.field('name')}
        label={t({ message: 'Name', context: 'of a person' })}
        maxLength={100}
        autoComplete="off"
      />
      <Field
        {...form.field('address')}
        label={t`Email or Phone`}
        inputMode="email"
        dir={form.values.address === '' ? undefined : 'ltr'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
      />
      <Button type="submit">
        <Trans>Add</Trans>
      </Button>
    </form>
  )
}
