import { i18n } from '@lingui/core'
import { ENGLISH } from '#web/i18n/english.ts'

/** Activates English for unit tests. */
i18n.loadAndActivate({ locale: 'en', messages: ENGLISH })
