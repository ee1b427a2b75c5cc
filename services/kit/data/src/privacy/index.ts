export { type PersonalDataParts, type PersonalDataSection, personalDataService, singleRecord, subjectOf } from './personal-data-service.ts';
