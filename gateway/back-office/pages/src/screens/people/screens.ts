export { FindPerson } from './find-person.tsx';
