// Made by ingester/assembly/group-windows.mjs from the built-in signals.

/** Four bytes of each text to search for, grouped so that few other bytes pass the kernel's search. */
// prettier-ignore
export const GROUPED_WINDOWS: ReadonlyArray<readonly string[]> = [
  ["RROR","RM_R"," nan","-nan"," lib","(nan","[nan","'nan","\"nan","Abor"," NAN"," Pyt"," NaN","IMIT","RMIN","IGAB","-NAN","\"NaN"],
  ["ve o","ERRO","ERM_","MPI_","=nan",":nan","EEMP","=NAN","=NaN",":NaN"],
  ["t si","NCCL","Asse","y li","P ou","tFou","ANCE","IGSE","NN_S","AS_S","PI_E"],
  ["CUDA","RTE ","ble ","cked","lled","QUEU","cuDN","le(s","at()"],
  ["ot f","ht s","Exce","S: j","ed w","exce","od h","e: -","ch f","ck ("],
  ["gnal","ng p","call","ce l","d_al","Faul","No m","FAIL","GKIL","FOAM"],
  ["or i","of d","of m","om_k","om-k","gFpe","oryE","Of M","OfMe","OF_M"],
  ["on f","te m","on t","on d","de f","th a","ve f","onEr"],
];
