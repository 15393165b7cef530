! What the program's compiler says about itself. The library looks these objects up by their names
! when it is loaded.
MODULE nemesis_compiler
  USE, INTRINSIC :: ISO_C_BINDING, ONLY: C_INT
  IMPLICIT NONE
  INTEGER(C_INT), BIND(C, NAME="nemesis_fortran_true") :: true_value = TRANSFER(.TRUE., 0_C_INT)
  INTEGER(C_INT), BIND(C, NAME="nemesis_fortran_false") :: false_value = TRANSFER(.FALSE., 0_C_INT)
  INTEGER(C_INT), BIND(C, NAME="nemesis_fortran_integer_bytes") :: integer_bytes = &
    STORAGE_SIZE(0) / 8
  INTEGER(C_INT), BIND(C, NAME="nemesis_fortran_real_bytes") :: real_bytes = STORAGE_SIZE(0.0) / 8
  INTEGER(C_INT), BIND(C, NAME="nemesis_fortran_double_bytes") :: double_bytes = &
    STORAGE_SIZE(0D0) / 8
END MODULE nemesis_compiler
