import { Trans, useLingui } from '@lingui/react/macro'
import { AddPerson } from '#web/bills/add-person.tsx'
import { usePeople } from '#web/bills/people.ts'
import { PeopleOptions } from '#web/bills/people-options.tsx'
import { createGroup } from '#web/bills/queries.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldNote } from '#web/ui/field.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type NewGroupSheetProps = { open: boolean; onOpenChange: (open: boolean) => void; onMade: (id: string) => void }

export function NewGroupSheet({ open, onOpenChange, onMade }: NewGroupSheetProps) {
  const { t } = useLingui()
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t`New group`}
      description={t`Choose a name, and the people who share bills`}
    >
      <NewGroupForm
        onMade={(id) => {
          onOpenChange(false)
          onMade(id)
        }}
      />
    </Sheet>
  )
}

type Values = { name: string; people: string }

const readPeople = (text: string): string[] => JSON.parse(text) as string[]

function NewGroupForm({ onMade }: { onMade: (id: string) => void }) {
  const { t } = useLingui()
  const { people, add } = usePeople()
  const check: FormCheck<Values> = ({ name, people: chosenPeople }) =>
    formErrors(
      name.trim() === '' && { field: 'name', code: 'fields_missing', text: t`Enter a name` },
      readPeople(chosenPeople).length === 0 && { field: 'people', code: 'people_missing' },
    )
  const form = useForm({
    initial: { name: '', people: '[]' },
    check,
    startAt: 'name',
    read: ({ name, people: chosenPeople }) => ({
      name: name.trim(),
      people: readPeople(chosenPeople).map((address) => ({
        address,
        name: people.find(({ id }) => id === address)?.name ?? address,
      })),
    }),
    send: createGroup,
    loading: () => t`Creating the group…`,
    success: ({ group }) => {
      const { name } = group
      return { message: t`${name} is ready. Everyone has been invited.` }
    },
    onDone: ({ group }) => onMade(group.id),
  })
  const { value, onChange, error } = form.field('people')
  const chosen = readPeople(value)
  const choose = (next: readonly string[]) => onChange(JSON.stringify(next))
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <Field
        {...form.field('name')}
        label={t({ message: 'Name', context: 'of a group' })}
        placeholder={t({ message: 'Lisbon trip', comment: "An example of a group's name" })}
        maxLength={60}
        autoComplete="off"
      />
      <div>
        <PeopleOptions
          people={people}
          chosen={chosen}
          failed={!!error}
          onToggle={(id) =>
            choose(chosen.includes(id) ? chosen.filter((chosenId) => chosenId !== id) : [...chosen, id])
          }
        >
          <AddPerson
            onAdd={(person) => {
              add(person)
              if (!chosen.includes(person.id)) choose([...chosen, person.id])
            }}
          />
        </PeopleOptions>
        <FieldNote id="group-people" error={error} />
      </div>
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans>Create Group</Trans>
      </Button>
    </form>
  )
}
