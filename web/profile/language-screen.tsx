import { t as say } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type Language, LANGUAGE_CODES, LANGUAGES } from '#contract/languages.ts'
import { toast } from '#web/lib/toast.ts'
import { languageText } from '#web/i18n/words.ts'
import { chooseLanguage } from '#web/i18n/language.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { meQuery } from '#web/lib/me.ts'
import { paths } from '#web/lib/paths.ts'
import { changePreferences } from '#web/profile/queries.ts'
import { Card, Screen } from '#web/ui/screen.tsx'

/** Lists the app's languages. The choice is stored on this device and with the customer. */
export function LanguageScreen() {
  const { t, i18n } = useLingui()
  const choose = useChoice()
  return (
    <Screen title={t`Language`} back={paths.settings}>
      <div role="radiogroup" aria-label={t`Language`}>
        <Card className="divide-y divide-line">
          {LANGUAGE_CODES.map((language) => (
            <Choice key={language} language={language} chosen={language === i18n.locale} onChoose={choose} />
          ))}
        </Card>
      </div>
    </Screen>
  )
}

type ChoiceProps = { language: Language; chosen: boolean; onChoose: (language: Language) => void }

function Choice({ language, chosen, onChoose }: ChoiceProps) {
  const { nativeName } = LANGUAGES[language]
  const name = languageText(language)
  return (
    <label className="relative flex min-h-16 w-full items-center gap-3 px-4 py-2.5 text-start transition-colors duration-150 -outline-offset-2 hover:bg-muted/60 active:bg-muted has-focus-visible:outline-2 has-focus-visible:outline-primary">
      <input
        type="radio"
        name="language"
        checked={chosen}
        onChange={() => onChoose(language)}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">
          <bdi lang={language} className="language-name">
            {nativeName}
          </bdi>
        </span>
        {name !== nativeName && <span className="block text-sm text-ink-soft">{name}</span>}
      </span>
      {chosen && <Check aria-hidden className="size-5 shrink-0 text-primary" strokeWidth={2.25} />}
    </label>
  )
}

function useChoice(): (language: Language) => void {
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: async (language: Language) => {
      await chooseLanguage(language)
      // A visitor on this screen may not have a customer yet. Reading `me` creates one.
      await queries.ensureQueryData(meQuery)
      await changePreferences({ language })
      queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, customer: { ...me.customer, language } })
    },
    onError: toastError,
  })
  return (language) =>
    mutate(language, {
      onSuccess: () => {
        const name = languageText(language)
        // The message is in the new language.
        toast.success(say`Language changed to ${name}`)
      },
    })
}
